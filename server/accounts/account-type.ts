export type AccountType = 'superuser' | 'user' | 'guest';
export type DeactivationReason = 'wrong_passwords' | 'administrator';
