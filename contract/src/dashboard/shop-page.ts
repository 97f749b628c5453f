import Type, { type Static } from 'typebox';
import { Closed, Email, Nullable, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';

/** Of the image file. A logo of 400 pixels is smaller. */
export const MAX_LOGO_BYTES = 65_536;

const ShopPage = Closed(
  {
    contactEmail: Nullable(Type.String({ description: 'Recipients may write there.' })),
    contactPhone: Nullable(Type.String({ description: 'Recipients may call there.' })),
    logo: Nullable(Type.String({ description: 'The image as a `data:` URL.' })),
  },
  { title: 'ShopPage' },
);
export type ShopPage = Static<typeof ShopPage>;
const ShopPageAnswer = Closed({ success: Success, shop: ShopPage });

export const shopPageEndpoints = defineEndpoints({
  readShopPage: {
    section: 'Account',
    summary: 'Read the contact and logo that recipients see',
    answers: { 200: ShopPageAnswer },
    needs: 'read',
  },
  changeShopPage: {
    section: 'Account',
    summary: 'Change the contact and logo that recipients see',
    description: 'Fields that are absent stay as they are; null removes one.',
    body: Type.Object({
      contactEmail: Type.Optional(Nullable(Email({ description: 'Shown to recipients.' }))),
      contactPhone: Type.Optional(
        Nullable(Type.String({ pattern: '^\\+?[0-9 .()-]{6,30}$', description: 'Shown to recipients.' })),
      ),
      logo: Type.Optional(
        Nullable(
          Type.String({
            maxLength: Math.ceil(MAX_LOGO_BYTES / 3) * 4,
            description: `A PNG, JPEG or WebP file of at most ${MAX_LOGO_BYTES / 1024} kB, as base64.`,
          }),
        ),
      ),
    }),
    answers: { 200: ShopPageAnswer },
    needs: 'ship',
  },
});
