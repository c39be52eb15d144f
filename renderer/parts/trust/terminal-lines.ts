import type { Output } from '../../../server/control/contract/contract.ts';

/** What a terminal needs to reach Larder, as lines to paste into a shell of Linux, macOS or Windows' Git Bash. */
export interface Terminal {
  /** Of the installation, with its prefix, without a slash at its end: one that resolves where the line is run. */
  readonly address: string;
  /** `curl` with the certificate that it trusts. */
  readonly curl: string;
  /** What gets that certificate first; empty on the computer that Larder runs on, where it is a file. */
  readonly before: string;
}

/**
 * @param page the address of the page: over HTTPS it is shown on another computer, which has no file of the server's
 * @returns null while the server listens nowhere
 */
export function terminalOf(
  { addresses, folder }: Pick<Output<'status'>, 'addresses' | 'folder'>,
  page: Pick<Location, 'protocol' | 'origin' | 'pathname'>,
): Terminal | null {
  if (page.protocol === 'https:') {
    const address = `${page.origin}${page.pathname.replace(/\/panel\/.*$/, '')}`;
    const before = `# Compare the fingerprint that is printed with the one of the authority.
curl --silent --insecure --output larder-ca.crt ${quoted(`${address}/ca.crt`)} && openssl x509 -in larder-ca.crt -noout -fingerprint -sha256\n`;
    return { address, curl: 'curl --cacert larder-ca.crt', before };
  }
  // The last one is for this computer itself.
  const address = addresses.at(-1);
  if (address === undefined) return null;
  const separator = folder.includes('\\') ? '\\' : '/';
  const certificate = [folder, '.larder', 'tls', 'ca.crt'].join(separator);
  return { address, curl: `curl --cacert ${quoted(certificate)}`, before: '' };
}

/** Every scope: with a token of these each line of the reference works, as far as whoever signs in may. */
const SCOPES = 'profile email list metadata upload download modify delete weblink share';

interface TokenLine {
  readonly clientId: string;
  /** Null of a public client. */
  readonly clientSecret: string | null;
  readonly username: string;
}

/** Gets a token for the lines that follow, and shows that it works. It asks for the password, which is in no history then. */
export function tokenLines(
  { address, curl, before }: Terminal,
  { clientId, clientSecret, username }: TokenLine,
): string {
  const fields = [
    'grant_type=password',
    `scope=${SCOPES}`,
    `username=${username}`,
    `client_id=${clientId}`,
    ...(clientSecret === null ? [] : [`client_secret=${clientSecret}`]),
  ];
  const sent = fields.map((field) => `  --data-urlencode ${quoted(field)} \\\n`).join('');
  return `${before}token=$(${curl} --silent ${quoted(`${address}/oauth2/token/`)} \\
${sent}  --data-urlencode "password=$(cat)" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
${curl} ${quoted(`${address}/api.php/files/browse/?path=/ROOT/HOME`)} \\
  --header "Authorization: Bearer $token"`;
}

/** For a shell: as it is, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
