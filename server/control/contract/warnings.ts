/** What needs attention while plain HTTP is allowed (§1.3). The panel says it in its own place. */
export const HTTP_WARNING =
  'Plain HTTP is allowed: passwords, tokens and files travel readable for everyone on the network. For testing only; turn it off.';
