import type { Translations } from '../translations.ts';

const acts: Translations['acts'] = {
  titles: {
    assign: 'Assign {{title}}',
    locate: 'Place {{title}} on the map',
    open_account: 'Pickup time of {{title}}',
    confirm_delivery: 'Confirm the delivery of {{title}}',
    resolve_incident: 'Close the incident of {{title}}',
    call_driver: 'Call the driver',
    resume_webhook: 'Resume the webhook {{title}}',
    call_merchant: 'Call {{title}}',
    retry_message: 'Send the message of {{title}} again',
    decide: 'Approve or decline',
    read_runbook: 'What to do',
  },
  consequences: 'What will happen',
  logged: 'Your name and the reason are added to the log of acts.',
  reason: 'Reason',
  understood: 'Got it',
  waitsForApproval: '{{title}}: the request is waiting for a second person.',
  assign: {
    search: 'Driver’s name',
    drivers: 'Drivers, best placed first',
    none: 'No driver with this name.',
    noPosition: 'position unknown',
    distance: '{{km}} km from the pickup',
    runs_zero: 'no parcels under way',
    runs_one: '{{count}} parcel under way',
    runs_other: '{{count}} parcels under way',
    warnings: {
      far: 'Far away',
      many_runs: 'Busy',
      refused_before: 'Refused before',
      position_unknown: 'No position',
      offline: 'Offline',
    },
    driverNotified:
      '{{title}} is assigned to {{driver}}, who is notified by the app. Offers to other drivers are cancelled.',
    runsAfter_one: 'They will then have {{count}} parcel under way.',
    runsAfter_other: 'They will then have {{count}} parcels under way.',
    warns: {
      far: 'Warning: they are {{km}} km from the pickup.',
      many_runs: 'Warning: they already have {{count}} parcels under way.',
      refused_before: 'Warning: they refused this shipment before.',
      position_unknown: 'Warning: their position is unknown.',
      offline: 'Warning: they are offline and will see the shipment when they next connect.',
    },
    submit: 'Assign to {{driver}}',
    done: '{{title}} is assigned to {{driver}}.',
  },
  locate: {
    hint: 'Find the address on a map and paste its coordinates here: a pair such as “48.8566, 2.3522” sets both fields.',
    latitude: 'Latitude',
    longitude: 'Longitude',
    number: 'Enter a decimal number, such as 48.8566',
    range: 'These coordinates do not exist: latitude goes from -90 to 90, longitude from -180 to 180.',
    outside: 'This point is outside of metropolitan France. Are latitude and longitude in the wrong order?',
    placed: {
      pickup: 'The pickup address is placed at this point.',
      delivery: 'The delivery address is placed at this point.',
    },
    searchStarts: 'The search for a driver starts once both addresses are placed.',
    submit: 'Place the address',
    done: '{{title}} is placed on the map.',
  },
  confirm: {
    reasonHint: 'How do you know that the parcel has arrived? For example: “recipient reached by phone”.',
    delivered: '{{title}} becomes “delivered”, without the recipient’s code. The merchant is notified.',
    limit: 'Above your company’s limit, the request waits for a second person.',
    submit: 'Confirm delivery',
    done: 'The delivery of {{title}} is confirmed.',
  },
  incident: {
    choose: 'How does the incident end?',
    resolutions: {
      tried_again: 'Try again',
      returned: 'Return to sender',
      left_with: 'Left with another person',
      confirmed: 'Delivery confirmed',
    },
    leftWith: 'Person who received the parcel',
    outcome: {
      tried_again: 'The driver tries to deliver again.',
      returned: 'The driver returns the parcel to the sender.',
      left_with: 'The shipment becomes “delivered”, with the name of the person who received it.',
      confirmed: 'The shipment becomes “delivered”, without the recipient’s code.',
    },
    notified: 'The driver receives your decision in the app.',
    submit: 'Close incident',
    done: 'The incident of {{title}} is closed.',
  },
  resume: {
    outcome:
      'Events are sent again from now on. Those of the pause are not sent: the merchant reads the shipments through the API.',
    submit: 'Resume webhook',
    done: 'The webhook {{title}} is active again.',
  },
  retry: {
    outcome: 'The same message is sent again to the same person.',
    submit: 'Send message again',
    done: 'The message of {{title}} is sent again.',
  },
  runbook: {
    audit_finding:
      'A nightly check found data that contradicts itself. The administrator of the service runs this command, which names each row; the “incidents” page of the operators’ guide says what to do.',
    retention_late:
      'Personal data should have been erased by now. The administrator of the service runs this command, which names each row, and checks that the erasing job works.',
    command: 'the command',
  },
  outside: {
    settings:
      'Agree on a pickup time with the merchant, then ask the administrator of the service to set it (navette account update).',
    noNumber: 'No phone number is stored. Contact the merchant or driver in another way.',
  },
};
export default acts;
