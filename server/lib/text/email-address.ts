/** RFC 5321 §4.5.3.1.3. */
const MAX_LENGTH = 254;

/** One address without a display name. Only a mail can show whether it exists. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/u.test(text);
}
