import type { Map as MapLibre } from 'maplibre-gl';

const SIZE = 44; // px on a screen with two pixels per point
const RATIO = 2;

/** Shapes differ, so that colours are not needed to tell things apart. */
const SHAPES = {
  driver: (path: Path2D) => {
    path.moveTo(22, 5);
    path.lineTo(37, 37);
    path.lineTo(22, 30);
    path.lineTo(7, 37);
    path.closePath();
  },
  pickup: (path: Path2D) => path.roundRect(10, 10, 24, 24, 5),
  drop: (path: Path2D) => path.arc(22, 22, 12, 0, 2 * Math.PI),
} as const;

const ICONS = {
  'driver-available': ['driver', '#2f7d32'],
  'driver-busy': ['driver', '#b35900'],
  'driver-stale': ['driver', '#6b7484'],
  pickup: ['pickup', '#7048b8'],
  drop: ['drop', '#1864ab'],
} as const satisfies Record<string, [keyof typeof SHAPES, string]>;

export function addIcons(map: MapLibre): void {
  for (const [name, [shape, colour]] of Object.entries(ICONS)) {
    for (const isSelected of [false, true]) {
      const id = isSelected ? `${name}-selected` : name;
      if (!map.hasImage(id)) map.addImage(id, draw(shape, colour, isSelected), { pixelRatio: RATIO });
    }
  }
}

function draw(shape: keyof typeof SHAPES, colour: string, isSelected: boolean): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2d context');
  const path = new Path2D();
  SHAPES[shape](path);
  if (isSelected) {
    context.strokeStyle = '#f2c200';
    context.lineWidth = 12;
    context.stroke(path);
  }
  context.strokeStyle = '#ffffff';
  context.lineWidth = 5;
  context.stroke(path);
  context.fillStyle = colour;
  context.fill(path);
  return context.getImageData(0, 0, SIZE, SIZE);
}
