#!/usr/bin/env bash
# Proves an installation from end to end: creates an account, a key and a driver, and delivers one shipment.
#
#   deploy/first-delivery.sh https://navette.example.org
#   deploy/first-delivery.sh https://navette.example.org podman exec -i navette-api navette
#
# The words after the URL run the `navette` command there. While no SMS provider is configured, the delivery code is
# read from the recipient's page; otherwise the page's link is sent to PHONE and EMAIL, and the code is asked for.
set -euo pipefail

url=${1:?usage: first-delivery.sh URL [COMMAND THAT RUNS navette]}
shift
(($#)) || set -- navette
phone=${PHONE:-+33612345678}
email=${EMAIL:-recipient@example.org}

field() { awk -v name="$1" '$1 == name { print $2 }'; }
value() { grep -o "\"$1\":\"[^\"]*\"" | head -1 | cut -d'"' -f4 || true; }
uuid() { cat /proc/sys/kernel/random/uuid; }

created=$("$@" account create --input - <<JSON
{ "name": "Test delivery", "email": "test@example.org", "clientType": "shop", "contractSigned": true, "minimumPrice": 8.5,
  "pickupAddress": { "street": "12 rue de Rivoli", "city": "Paris", "postalCode": "75001" } }
JSON
)
account=$(field id <<<"$created")
client=$(field clientId <<<"$created")
"$@" account credit "$account" --amount 50.00 --note "test delivery" >/dev/null
key=$("$@" key create "$account" --name "test delivery" --scopes read,write | field key)
echo "account    $account"

driver=$("$@" driver create --input - <<JSON
{ "firstName": "Test", "lastName": "Delivery", "phoneNumber": "+33611111111", "email": "driver-$(uuid)@example.org" }
JSON
)
token=$(field token <<<"$driver")
echo "driver     $(field id <<<"$driver")"

merchant() { curl -sS -H "Authorization: Bearer $key" -H "X-Client-Id: $client" "$@"; }
driver() { curl -sS -X "$1" -H "Authorization: Bearer $token" "$url/driver/api/v1$2" ${3:+--json "$3"}; }

driver PUT /availability '{"available": true}' >/dev/null
driver PUT /position '{"latitude": 48.8570, "longitude": 2.3500}' >/dev/null
shipment=$(merchant -H "X-Idempotency-Key: $(uuid)" "$url/pro/api/v1/shipping" --json "{
  \"deliveryAddress\": { \"recipientName\": \"Camille Durand\", \"street\": \"8 avenue de l’Opéra\", \"city\": \"Paris\",
                         \"postalCode\": \"75001\", \"phoneNumber\": \"$phone\", \"email\": \"$email\" },
  \"parcelDetails\": { \"weight\": 2.5, \"nature\": \"Test 📦\" } }")
id=$(value _id <<<"$shipment")
reference=$(value referenceNumber <<<"$shipment")
[[ $reference ]] || { echo "refused: $shipment" >&2; exit 1; }
echo "shipment   $reference"
merchant -L -o /dev/null -w 'label      %{content_type}, %{size_download} bytes\n' "$url/pro/api/v1/shipping/$id/download"

for _ in {1..150}; do
  driver GET /offers | grep -q "$id" && break
  sleep 0.2
done
driver POST "/offers/$id/accept" | grep -q '"status":"assigned"' || { echo "no worker made an offer within 30 s" >&2; exit 1; }
driver POST "/shippings/$id/pickup" >/dev/null

link=$("$@" messages --shipment "$reference" | grep -o 'https\?://[^ ]*/t/[^ ]*' | head -1 || true)
if [[ $link ]]; then
  code=$(curl -sS "$url/t/${link##*/t/}" | grep -oE '([0-9] ){5}[0-9]' | tr -d ' ')
else
  read -rp "delivery code on the page sent to $phone: " code
fi
driver POST "/shippings/$id/deliver" "{\"deliveryCode\": \"$code\"}" | grep -q '"status":"delivered"' || {
  echo "$reference was not delivered: navette shipment explain $reference" >&2
  exit 1
}
"$@" driver disable "$(field id <<<"$driver")" >/dev/null
"$@" account close "$account" >/dev/null
echo "delivered  $reference; account closed, driver disabled"
