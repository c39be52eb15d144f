// A form whose work is done in steps: the person has confirmed the first one.

document.querySelector<HTMLFormElement>('form[data-continue]')?.requestSubmit();
