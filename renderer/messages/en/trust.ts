/** Adding devices: the way to the page with the steps, and the number to compare. */
export const trust = {
  'trust.title': 'Add a device',
  'trust.help': 'Do this once on each phone and computer. Until then, browsers show a warning.',
  'trust.scan':
    'Scan the code with a phone, or open this address on a computer. The page shows the steps and checks them.',
  'trust.qr': 'QR code for {address}',
  'trust.number': 'Number to compare',
  'trust.numberHelp': 'The code contains it. On a computer, enter the first line.',
  'trust.alone':
    'No other device can reach this computer at the moment. Once it is in your home network, the address for phones and other computers is here.',
  'trust.save': 'Save certificate',
  'trust.file': 'larder-ca.crt',
  'trust.addApp': 'Add app',
} as const;
