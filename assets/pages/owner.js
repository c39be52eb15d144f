// The owner's page on loopback: takes the secret out of the link, keeps the session's token in this tab only, and
// talks to the control methods. The secret is in the fragment, which browsers never send.

const STORE = 'larder-control';
const at = (id) => document.getElementById(id);

class Refused extends Error {
  constructor(status, failure) {
    super(failure.error ?? 'Larder does not answer.');
    this.status = status;
    this.field = failure.field;
  }
}

async function post(path, body, headers = {}) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
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
  if (error instanceof Refused && error.status !== 401) at('locked-why').textContent = error.message;
}

function setUp(form) {
  const note = at('note');
  const fields = ['owner', 'password', 'repeat'];
  const complain = (field, text) => {
    const input = form.elements[field];
    const message = at(`${field}-error`);
    if (!input || !message) {
      note.textContent = text;
      note.hidden = false;
      return;
    }
    message.textContent = text;
    message.hidden = false;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    note.hidden = true;
    for (const field of fields) {
      at(`${field}-error`).hidden = true;
      form.elements[field].removeAttribute('aria-invalid');
    }
    if (form.elements.password.value !== form.elements.repeat.value) {
      complain('repeat', 'The two passwords differ.');
      return;
    }
    const button = form.querySelector('button');
    button.setAttribute('aria-busy', 'true');
    try {
      await control('setup', {
        owner: form.elements.owner.value,
        password: form.elements.password.value,
        enableApi: form.elements.api.checked,
      });
      location.reload();
    } catch (error) {
      complain(error.field === 'username' ? 'owner' : error.field, error.message);
    } finally {
      button.removeAttribute('aria-busy');
    }
  });
}

function line(list, text) {
  const item = document.createElement('li');
  item.className = 'value';
  item.textContent = text;
  at(list).append(item);
}

async function showOverview() {
  const status = await control('status');
  for (const address of status.addresses) line('addresses', address);
  at('fingerprint').textContent = status.fingerprint;
  at('folder').textContent = status.folder;
  at('api').textContent = status.apiEnabled
    ? 'The API is on. Register an app with the second line below.'
    : 'The API is off. Turn it on with the first line below.';
  at('certificate').href = `${status.addresses[0]}/ca.crt`;
  for (const text of status.attention) {
    const note = document.createElement('p');
    note.className = 'note care';
    note.textContent = text;
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
