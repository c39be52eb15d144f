// The enlargement of a picture, and its position while it is enlarged.

/** The largest enlargement, and that of a double tap. */
const MOST = 8;
const TWICE = 2.5;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Zoom {
  readonly isZoomed: boolean;
  /** @param at stays where it is, in pixels from the middle of the stage */
  by(factor: number, at?: Point): void;
  /** Enlarges, or shows the whole again. */
  toggle(at: Point): void;
  move(x: number, y: number): void;
  reset(): void;
  /** Lets the whole picture follow a finger. */
  drag(x: number, y: number): void;
}

/** @param layer is moved and enlarged @param stage what it fills without enlargement */
export function createZoom(layer: HTMLElement, stage: HTMLElement): Zoom {
  let scale = 1;
  let [left, top] = [0, 0];

  /** No further than the edges of the stage. */
  function within(value: number, size: number): number {
    const most = (size * (scale - 1)) / 2;
    return Math.max(-most, Math.min(most, value));
  }

  function draw(): void {
    left = within(left, stage.clientWidth);
    top = within(top, stage.clientHeight);
    layer.style.transform = scale === 1 ? '' : `translate(${left}px, ${top}px) scale(${scale})`;
    stage.classList.toggle('zoomed', scale > 1);
  }

  function to(next: number, at: Point): void {
    const limited = Math.max(1, Math.min(MOST, next));
    left = at.x - ((at.x - left) * limited) / scale;
    top = at.y - ((at.y - top) * limited) / scale;
    scale = limited;
    draw();
  }

  return {
    get isZoomed() {
      return scale > 1;
    },
    by: (factor, at = { x: 0, y: 0 }) => to(scale * factor, at),
    toggle: (at) => to(scale > 1 ? 1 : TWICE, at),
    move(x, y) {
      left += x;
      top += y;
      draw();
    },
    reset() {
      [scale, left, top] = [1, 0, 0];
      draw();
    },
    drag(x, y) {
      layer.style.transform = x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px)`;
    },
  };
}
