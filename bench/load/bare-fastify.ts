/** The minimum that a Fastify server does for a quote: parses the JSON and serialises an object of the same size. */
import { ENDPOINTS } from '@navette/contract';
import Fastify from 'fastify';

const app = Fastify();
app.post('/pro/api/v1/rates', { schema: { response: ENDPOINTS.quoteRate.answers } }, async (request) => ({
  success: true,
  rate: {
    price: 8.5,
    currency: 'EUR',
    weightInKg: (request.body as { weight: number }).weight,
    minimumPrice: 8.5,
    pricePerKg: null,
    pricingModel: 'professional_minimum',
    scheduledDelivery: null,
  },
}));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
