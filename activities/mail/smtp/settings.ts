/** What an SMTP address says: `smtp[s]://[user:password@]host[:port][?option=…]`. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number | undefined;
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly rejectUnauthorized: boolean;
  /** How we call ourselves in EHLO. */
  readonly name: string | undefined;
}

const options: readonly string[] = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized', 'name'];

/** Throws where an address says something else than it seems to; what it quotes never holds the password. */
export function smtpSettings(address: string): SmtpSettings {
  const url = parsed(address);
  const unknown = [...url.searchParams.keys()].find((key) => !options.includes(key));
  if (unknown !== undefined) throw new Error(`unknown option "${unknown}" in the SMTP address; known are ${options.join(', ')}`);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth: url.username === '' ? null : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    requireTLS: isSet(url, 'requireTLS', false),
    ignoreTLS: isSet(url, 'ignoreTLS', false),
    rejectUnauthorized: isSet(url, 'tls.rejectUnauthorized', true),
    name: url.searchParams.get('name') ?? undefined,
  };
}

function parsed(address: string): URL {
  const url = URL.parse(address);
  if (url === null || url.hostname === '' || !['smtp:', 'smtps:'].includes(url.protocol)) {
    throw new Error('an SMTP address looks like smtp://host:port or smtps://user:password@host');
  }
  return url;
}

function isSet(url: URL, option: string, otherwise: boolean): boolean {
  const value = url.searchParams.get(option);
  if (value === null) return otherwise;
  if (value !== 'true' && value !== 'false') throw new Error(`option "${option}" in the SMTP address is true or false`);
  return value === 'true';
}
