import type { Merchant } from '../stack.ts';

/** Lua for wrk: each request is of the next merchant in turn. `request` is a Lua expression using `headers` and `n`. */
function script(merchants: Merchant[], request: string): string {
  const list = merchants.map(({ key, clientId }) => `{key = "${key}", client = "${clientId}"}`).join(',\n');
  return `
local merchants = {${list}}
local n = 0
local run = tostring(os.time()) .. "-" .. tostring(math.random(1, 1e9))
math.randomseed(os.time())
function request()
  n = n + 1
  local merchant = merchants[n % #merchants + 1]
  local headers = {
    ["Authorization"] = "Bearer " .. merchant.key,
    ["X-Client-Id"] = merchant.client,
    ["Content-Type"] = "application/json",
  }
  ${request}
end`;
}

export function creations(merchants: Merchant[]): string {
  return script(
    merchants,
    `headers["X-Idempotency-Key"] = run .. "-" .. n
  local body = '{"deliveryAddress":{"recipientName":"Camille Durand","street":"8 avenue de l Opera","city":"Paris","postalCode":"75001","phoneNumber":"+33612345678","email":"camille@example.org","coordinates":{"latitude":48.8638,"longitude":2.3345}},"parcelDetails":{"weight":2.5,"nature":"Vetements"},"externalReference":{"orderId":"' .. n .. '"},"metadata":{"cart":"' .. n .. '"}}'
  return wrk.format("POST", "/pro/api/v1/shipping", headers, body)`,
  );
}

export function quotes(merchants: Merchant[]): string {
  return script(merchants, `return wrk.format("POST", "/pro/api/v1/rates", headers, '{"weight":5.5}')`);
}

/** Random reads of the given ids, each by its own account. */
export function reads(merchants: Merchant[], idsByMerchant: string[][]): string {
  const ids = idsByMerchant.map((list) => `{${list.map((id) => `"${id}"`).join(',')}}`).join(',\n');
  return `local ids = {${ids}}\n${script(
    merchants,
    `local own = ids[n % #merchants + 1]
  return wrk.format("GET", "/pro/api/v1/shipping/" .. own[math.random(#own)], headers)`,
  )}`;
}
