/** The texts of the application itself, by key: tests do not repeat their wording. */
export { catalogue, t as applicationText } from '../../dist/main/messages/messages.js';
