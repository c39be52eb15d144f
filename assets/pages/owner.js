// The owner's page on loopback: takes the secret out of the link, keeps the session's token in this tab only, and
// talks to the control methods. The secret is in the fragment, which browsers never send.

const STORE = 'larder-control';
const at = (id) => document.getElementById(id);
const texts = JSON.parse(at('texts').content.textContent);

class Refused extends Error {
  constructor(status, failure) {
    super(failure.error ?? texts.noAnswer);
    this.status = status;
    this.field = failure.field;
  }
}

async function post(path, body, headers = {}) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Refused(0, {});
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

const control = (method, input = {}) =>
  post(`/control/${method}`, input, { Authorization: `Bearer ${sessionStorage.getItem(STORE) ?? ''}` });

async function signIn() {
  const secret = /^#open=([\w-]+)$/.exec(location.hash)?.[1];
  if (secret === undefined) return;
  history.replaceState(null, '', location.pathname);
  const { token } = await post('/control-link', { secret });
  sessionStorage.setItem(STORE, token);
}

function showLocked(error) {
  at('content').hidden = true;
  at('locked').hidden = false;
  if (!(error instanceof Refused) || error.status !== 401) at('locked-why').textContent = error.message;
}

const FIELDS = ['owner', 'password', 'repeat'];

function setUp(form) {
  const note = at('note');

  function announce(text) {
    note.lastElementChild.textContent = text;
    note.hidden = false;
  }

  function complain(field, text) {
    const input = FIELDS.includes(field) ? form.elements[field] : undefined;
    if (input === undefined) {
      announce(text);
      note.focus();
      return;
    }
    const message = at(`${field}-error`);
    message.lastElementChild.textContent = text;
    message.hidden = false;
    input.setAttribute('aria-invalid', 'true');
    if (form.querySelector('[aria-invalid]') === input) input.focus();
  }

  function settle(field) {
    at(`${field}-error`).hidden = true;
    form.elements[field].removeAttribute('aria-invalid');
  }

  function check() {
    for (const field of FIELDS) if (form.elements[field].value === '') complain(field, texts.needed[field]);
    const { password, repeat } = form.elements;
    if (repeat.value !== '' && password.value !== repeat.value) complain('repeat', texts.differ);
    const wrong = FIELDS.filter((field) => form.elements[field].hasAttribute('aria-invalid'));
    if (wrong.length > 1) announce(wrong.map((field) => at(`${field}-error`).textContent.trim()).join(' '));
    return wrong.length === 0;
  }

  for (const field of FIELDS) form.elements[field].addEventListener('input', () => settle(field));
  let busy = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (busy) return;
    note.hidden = true;
    FIELDS.forEach(settle);
    if (!check()) return;
    const button = form.querySelector('button');
    busy = true;
    button.setAttribute('aria-busy', 'true');
    try {
      await control('setup', {
        owner: form.elements.owner.value,
        password: form.elements.password.value,
        enableApi: form.elements.api.checked,
      });
      location.reload();
    } catch (error) {
      busy = false;
      button.removeAttribute('aria-busy');
      if (error.status === 401) showLocked(error);
      else complain(error.field === 'username' ? 'owner' : error.field, error.message);
    }
  });
}

function addCopied(list, text) {
  const line = at('copied-line').content.firstElementChild.cloneNode(true);
  const button = line.querySelector('button');
  const word = button.querySelector('span');
  line.querySelector('code').textContent = text;
  const say = (verb) => {
    word.textContent = verb;
    button.setAttribute('aria-label', `${verb} ${text}`);
  };
  say(texts.copy);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    say(texts.copied);
    setTimeout(() => say(texts.copy), 2_000);
  });
  at(list).append(line);
}

/** In pieces of eight pairs, so that lines break where the eye can rest. */
function showFingerprint(id, fingerprint) {
  for (const piece of fingerprint.match(/(?:[^:]+:?){1,8}/g) ?? []) {
    const span = document.createElement('span');
    span.textContent = piece;
    at(id).append(span);
  }
}

async function showOverview() {
  const status = await control('status');
  for (const address of status.addresses) addCopied('addresses', address);
  showFingerprint('fingerprint', status.fingerprint);
  showFingerprint('authority', status.authorityFingerprint);
  at('folder').textContent = status.folder;
  at('api').textContent = status.apiEnabled ? texts.apiOn : texts.apiOff;
  if (!status.apiEnabled) addCopied('commands', texts.enable);
  addCopied('commands', texts.client);
  at('certificate').href = `${status.addresses[0]}/ca.crt`;
  for (const text of status.attention) {
    const note = at('attention-note').content.firstElementChild.cloneNode(true);
    note.lastElementChild.textContent = text;
    at('attention').append(note);
  }
}

try {
  await signIn();
  if (sessionStorage.getItem(STORE) === null) throw new Refused(401, {});
  const form = at('set-up');
  if (form) {
    await control('status');
    setUp(form);
  } else {
    await showOverview();
  }
  at('content').hidden = false;
} catch (error) {
  showLocked(error);
}
