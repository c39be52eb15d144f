import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';

// `Menu`, `Tray`, `nativeImage`, `nativeTheme`: what is shown outside of windows, as data.

interface Template {
  readonly id?: string;
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly accelerator?: string;
  readonly submenu?: Template[] | Menu;
  readonly click?: () => void;
}

class MenuItem {
  readonly id: string | undefined;
  readonly label: string;
  readonly role: string | undefined;
  readonly type: string;
  readonly enabled: boolean;
  readonly submenu: Menu | undefined;
  readonly #click: (() => void) | undefined;

  constructor({ id, label, role, type = 'normal', enabled = true, submenu, click }: Template) {
    if (type === 'normal' && label === undefined && role === undefined) throw new Error('a label or a role is needed');
    this.id = id;
    this.label = label ?? role ?? '';
    this.role = role;
    this.type = type;
    this.enabled = enabled;
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : submenu;
    this.#click = click;
  }

  click(): void {
    if (this.enabled) this.#click?.();
  }
}

export class Menu {
  static #application: Menu | null = null;
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: Template[]): Menu {
    const menu = new Menu();
    menu.items.push(...template.map((one) => new MenuItem(one)));
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item;
      const within = item.submenu?.getMenuItemById(id) ?? null;
      if (within !== null) return within;
    }
    return null;
  }

  popup(): void {}
}

class NativeImage {
  readonly path: string | null;
  constructor(path: string | null) {
    this.path = path;
  }
  isEmpty(): boolean {
    return this.path === null || !existsSync(this.path);
  }
}

export const nativeImage = {
  createEmpty: () => new NativeImage(null),
  createFromPath: (path: string) => new NativeImage(path),
};

/** All that a test can see of it: Electron itself does not tell. */
export class Tray extends EventEmitter {
  static readonly all: Tray[] = [];
  toolTip = '';
  /** How often its menu was set. */
  sets = 0;
  menu: Menu | null = null;
  image: NativeImage;

  constructor(image: NativeImage) {
    super();
    this.image = image;
    Tray.all.push(this);
  }
  setImage(image: NativeImage): void {
    this.image = image;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: Menu | null): void {
    this.sets += 1;
    this.menu = menu;
  }
  destroy(): void {
    Tray.all.splice(Tray.all.indexOf(this), 1);
  }
}

class NativeTheme extends EventEmitter {
  shouldUseDarkColors = false;
  shouldUseDarkColorsForSystemIntegratedUI = false;
}

export const nativeTheme = new NativeTheme();
