import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link in an email names. */
export interface LinkTarget {
  readonly reportId: string;
  readonly email: string;
  readonly generation: number;
}

/** Raised to revoke every link that was ever sent. */
export const linkGeneration = 1;

/** The token of an emailed link: an HMAC over what it names, so that nothing is stored and it renders the same every time. */
export function linkToken(secret: string, { reportId, email, generation }: LinkTarget): string {
  const named = Buffer.from(JSON.stringify([reportId, email, generation])).toString('base64url');
  return `${named}.${signature(secret, named)}`;
}

/** What a token names, where it is one of ours. */
export function readLinkToken(secret: string, token: string): LinkTarget | null {
  const [named = '', given = '', ...rest] = token.split('.');
  const expected = Buffer.from(signature(secret, named));
  const presented = Buffer.from(given);
  if (rest.length > 0 || expected.length !== presented.length || !timingSafeEqual(expected, presented)) return null;
  const fields: unknown = JSON.parse(Buffer.from(named, 'base64url').toString());
  if (!Array.isArray(fields)) return null;
  const [reportId, email, generation]: unknown[] = fields;
  return typeof reportId === 'string' && typeof email === 'string' && typeof generation === 'number' ? { reportId, email, generation } : null;
}

function signature(secret: string, named: string): string {
  return createHmac('sha256', secret).update(`link:${named}`).digest('base64url');
}
