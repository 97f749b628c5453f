// The part of Express that the README uses, on node:http: Express is no dependency of this project.
import { createServer } from 'node:http';

export default function express() {
  const routes = new Map();
  const server = createServer((request, response) => {
    const [parse, handle] = routes.get(request.url) ?? [];
    if (!handle) return response.writeHead(404).end();
    parse(request, response, () => handle(request, response));
  });
  return {
    post: (path, ...handlers) => routes.set(path, handlers),
    listen: (port) => server.listen(port),
  };
}

express.raw = () => async (request, _response, next) => {
  request.body = Buffer.concat(await request.toArray());
  next();
};
