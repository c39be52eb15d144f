import type { Output } from '../../../server/control/contract/contract.ts';

/** What a shell needs to reach Larder: commands for Linux, macOS or Git Bash on Windows. */
export interface Terminal {
  /** Of the installation, including its prefix, without a trailing slash: one that works where the command runs. */
  readonly address: string;
  /** `curl` with the certificate to trust. */
  readonly curl: string;
  /** The command that downloads the certificate; empty on Larder's own computer, where it is a file. */
  readonly before: string;
}

/**
 * @param page the address of the page: over HTTPS it is shown on another computer, without access to the server's files
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

/** All scopes: with such a token every command of the reference works, as far as the account's permissions allow. */
const SCOPES = 'profile email list metadata upload download modify delete weblink share';

interface TokenLine {
  readonly clientId: string;
  /** Null of a public client. */
  readonly clientSecret: string | null;
  readonly username: string;
}

/**
 * Gets a token for the following commands, and tests it. It asks for the password, which therefore is not in the shell's history.
 */
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

/** Quotes any text for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
