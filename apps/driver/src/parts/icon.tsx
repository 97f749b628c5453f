const PATHS = {
  back: 'M15 5l-7 7 7 7',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  next: 'M9 5l7 7-7 7',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 005 5L15 13l5 2v4a1 1 0 01-1 1A15 15 0 014 5a1 1 0 011-1z',
  message: 'M4 5h16v11H9l-5 4z',
  route: 'M12 3l8 18-8-5-8 5z',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  send: 'M4 12l16-8-5 16-4-6z',
  clock: 'M12 7v5l3 3M12 3a9 9 0 100 18 9 9 0 000-18z',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4',
  scan: 'M4 8V5a1 1 0 011-1h3m8 0h3a1 1 0 011 1v3m0 8v3a1 1 0 01-1 1h-3m-8 0H5a1 1 0 01-1-1v-3M7 12h10',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.2 3.2 0 100 6.4 3.2 3.2 0 000-6.4z',
  pen: 'M5 19l1-4L16 5l3 3L9 18z',
  warning: 'M12 4l9 16H3zM12 10v4m0 3v.01',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  pin: 'M12 21s7-6.2 7-11a7 7 0 10-14 0c0 4.800 7 11 7 11zM12 7.500a2.500 2.500 0 100 5 2.500 2.500 0 000-5z',
  offline: 'M3 3l18 18M8.500 15.500a5 5 0 017 0M5 12a10 10 0 014-2.500m5.500.200A10 10 0 0119 12M12 19v.01',
  parcel: 'M4 8l8-4 8 4v9l-8 4-8-4zM4 8l8 4 8-4M12 12v9',
  light: 'M9 3h6l-1 6h3l-7 12 2-9H8z',
  euro: 'M17 6.500A6.500 6.500 0 106.500 15 6.500 6.500 0 0017 17.500M4 10.500h8M4 13.500h7',
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
