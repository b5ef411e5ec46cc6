// The Lounge as `thelounge` starts it, but for its daily look at the network for a newer one.
const changelog = require('thelounge/dist/server/plugins/changelog').default
changelog.checkForUpdates = () => {}
require('thelounge')
