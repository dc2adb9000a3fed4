import { createMiddleware } from 'hono/factory';
import { Problem } from './problem.ts';

/** Scripts and styles come from this server's own files alone; nothing of a page is shown inside another site. */
const policy = (script: "'self'" | "'none'"): string =>
  `default-src 'none'; script-src ${script}; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** For pages that show a saved report: what it holds comes from outside, and no script is needed. */
export const withoutScripts = policy("'none'");

const headers = {
  'Content-Security-Policy': policy("'self'"),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const satisfies Record<string, string>;

export const securityHeaders = createMiddleware(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
});

/**
 * Refuses what other sites have a browser send. A body has to be `application/json`, which no form can send and for which
 * a browser asks first (and is answered 405); a cancel needs no body, so every browser's own word on where a request comes from is heard too.
 */
export function refuseForeign(publicUrl: string) {
  const own = new URL(publicUrl).origin;
  return createMiddleware(async (c, next) => {
    const origin = c.req.header('Origin');
    const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method);
    if (!isReading && origin !== undefined && origin !== own && URL.parse(origin)?.host !== new URL(c.req.url).host) {
      throw new Problem('foreign_origin', 'The request comes from a page of another site. Where this one has more than one address, set PUBLIC_URL to the one that browsers use.');
    }
    await next();
  });
}
