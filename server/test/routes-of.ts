import type { FastifyInstance } from 'fastify';

export interface Route {
  method: string;
  /** With its parameters filled in. */
  path: string;
}

const LINE = /^([│ ]*)[├└]── (.*) \(([A-Z, ]+)\)$/;

/** Every route of the app, read from its router, so that new routes are included. */
export function routesOf(app: FastifyInstance): Route[] {
  const parents: string[] = []; // the path so far, by depth
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, indent, part, methods] = LINE.exec(line) ?? [];
      if (indent === undefined || part === undefined || methods === undefined) throw new Error(`unread route: ${line}`);
      const depth = indent.length / 4;
      const pattern = `${parents[depth - 1] ?? ''}${part}`;
      parents[depth] = pattern;
      const path = pattern.replaceAll(/:\w+/g, 'x').replaceAll('*', '/x');
      return methods.split(', ').map((method) => ({ method, path }));
    });
}
