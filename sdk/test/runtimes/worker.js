// For workerd: settings as the body of a request, the result as its response.
import { runScenario } from './scenario.js';

export default {
  async fetch(request) {
    try {
      return Response.json(await runScenario(await request.json()));
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
