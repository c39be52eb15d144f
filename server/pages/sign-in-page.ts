import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { texts } from './texts.ts';

export interface SignInForm {
  /** Where the form goes. */
  readonly action: string;
  readonly formToken: string;
  /** Where it goes on afterwards. */
  readonly next: string;
  /** The app that somebody is on the way to, if to one. */
  readonly app: string | null;
  /** What was wrong with the last try. */
  readonly note: string | null;
  readonly username: string;
  readonly kept: boolean;
}

export function signInCard({ action, formToken, next, app, note, username, kept }: SignInForm): Html {
  const { signIn } = texts;
  const described = note === null ? html`` : html` aria-describedby="note"`;
  // Where the eye has to go first: to the password when the name stands there already.
  const [focusName, focusPassword] = username === '' ? [html` autofocus`, html``] : [html``, html` autofocus`];
  return html`<h1>${signIn.heading}</h1>
<p class="lead">${app === null ? signIn.lead : signIn.toApp(app)}</p>
${note === null ? html`` : html`<div class="note" id="note" role="alert">${icon('alert')}<span>${note}</span></div>`}
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="next" value="${next}">
<div class="field"><label for="username">${signIn.username}</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${focusName}${described}></div>
<div class="field"><label for="password">${signIn.password}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${focusPassword}${described}></div>
<div class="check"><input type="checkbox" id="keep" name="keep" value="1"${kept ? html` checked` : html``} aria-describedby="keep-help"><label for="keep">${signIn.keep}</label><p class="help" id="keep-help">${signIn.keepHelp}</p></div>
<div class="actions"><button class="primary">${signIn.submit}</button></div>
</form>`;
}
