const SECRET_PARAMETER =
  /([?&#;\s"']|%3f|%26|^)((?:access_token|refresh_token|token|client_secret|secret|code_verifier|password|new_password|current_password|passphrase|code|otp|state|id)(?:=|%3d))[^&\s"'#;]+/gi;
/** The same in JSON. */
const SECRET_FIELD =
  /("(?:[a-z]*_?(?:token|secret|password|passphrase|otp|code)|[a-z]+(?:Token|Secret|Password))"\s*:\s*")(?:[^"\\]|\\.)*/gi;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi;
const FRAGMENT_SECRET = /(#(?:setup|open|invite)[=/])[A-Za-z0-9_-]+/gi;

/** Replaces what must never be logged: tokens, passwords, codes, ids of links, guest and panel links. */
export function redactText(text: string): string {
  return text
    .replace(SECRET_PARAMETER, '$1$2[redacted]')
    .replace(SECRET_FIELD, '$1[redacted]')
    .replace(BEARER, '$1 [redacted]')
    .replace(FRAGMENT_SECRET, '$1[redacted]');
}
