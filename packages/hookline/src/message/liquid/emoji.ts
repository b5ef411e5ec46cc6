// The short names of emoji that services use in their messages, as characters.

/** `tada` → 🎉. Undefined for one that is not known here. */
export function emojiOf(name: string): string | undefined {
  return emoji.get(name)
}

const KNOWN = `
✅ white_check_mark heavy_check_mark|✔️ ballot_box_with_check|☑️ ❌ x negative_squared_cross_mark|❎ ⚠️ warning
🚨 rotating_light 🔥 fire 💥 boom collision 🎉 tada 🎊 confetti_party confetti_ball 🚀 rocket 🐛 bug 🔴 red_circle
🟢 large_green_circle green_circle 🟡 large_yellow_circle yellow_circle 🟠 large_orange_circle orange_circle
🔵 large_blue_circle blue_circle ⚪ white_circle ⚫ black_circle 💚 green_heart ❤️ heart 💔 broken_heart 💛 yellow_heart
💙 blue_heart 💜 purple_heart 🧡 orange_heart 👍 +1 thumbsup 👎 -1 thumbsdown 👀 eyes 👋 wave 👏 clap 🙏 pray 🙌 raised_hands 💪 muscle
🙂 slightly_smiling_face 😄 smile 😃 smiley 😀 grinning 😂 joy 😉 wink 😢 cry 😭 sob 😅 sweat_smile 😎 sunglasses 😕 confused
😡 rage 😱 scream 🤔 thinking_face thinking 🤖 robot_face robot 🎈 balloon 🎁 gift ⭐ star 🌟 star2 ✨ sparkles ⚡ zap ☀️ sunny
☁️ cloud ☔ umbrella ❄️ snowflake 🌈 rainbow 🌍 earth_africa 🌎 earth_americas 🌏 earth_asia 🔔 bell 🔕 no_bell 📢 loudspeaker 📣 mega
📝 memo pencil 📌 pushpin 📎 paperclip 📅 date 📆 calendar 📈 chart_with_upwards_trend 📉 chart_with_downwards_trend
📊 bar_chart 📋 clipboard 📁 file_folder 📂 open_file_folder 📄 page_facing_up 📖 book 📚 books 🔖 bookmark 🏷️ label 🔗 link
📦 package 📬 mailbox_with_mail ✉️ email envelope 📧 e-mail 📞 telephone_receiver ☎️ phone telephone 💻 computer 🖥️ desktop_computer
⌛ hourglass ⏳ hourglass_flowing_sand ⏰ alarm_clock ⏱️ stopwatch 🕐 clock1 ⏸️ double_vertical_bar ▶️ arrow_forward ⏹️ black_square_for_stop
🔒 lock 🔓 unlock 🔑 key 🛡️ shield 🔧 wrench 🔨 hammer 🛠️ hammer_and_wrench ⚙️ gear 🔍 mag 🔎 mag_right 💡 bulb 🗑️ wastebasket 🚧 construction
🚫 no_entry_sign ⛔ no_entry 🛑 octagonal_sign stop_sign ❗ exclamation heavy_exclamation_mark ‼️ bangbang ❓ question ℹ️ information_source
🆕 new 🆗 ok 🆘 sos ➕ heavy_plus_sign ➖ heavy_minus_sign ➡️ arrow_right ⬅️ arrow_left ⬆️ arrow_up ⬇️ arrow_down 🔄 arrows_counterclockwise
🔁 repeat ♻️ recycle 💰 moneybag 💵 dollar 💳 credit_card 🛒 shopping_trolley shopping_cart 🏁 checkered_flag 🏆 trophy 🥇 first_place_medal
🎯 dart 👤 bust_in_silhouette 👥 busts_in_silhouette 👷 construction_worker 👮 cop 🚑 ambulance 🚒 fire_engine 🏠 house 🏢 office 🏥 hospital
☕ coffee 🍵 tea 🍺 beer 🍻 beers 🍕 pizza 🎂 birthday 🍪 cookie 💤 zzz 💩 hankey poop 👻 ghost 💀 skull 🐢 turtle 🐳 whale 🐙 octopus 🐧 penguin
🌱 seedling 🌳 deciduous_tree 💬 speech_balloon 💭 thought_balloon 🗓️ spiral_calendar_pad 🧪 test_tube 🩹 adhesive_bandage
`

const emoji: ReadonlyMap<string, string> = new Map(read(KNOWN))

/** A character stands before its names; `name|character` is one of its own. */
function* read(text: string): Generator<readonly [string, string]> {
  let character = ''
  for (const word of text.trim().split(/\s+/)) {
    const [name = '', own] = word.split('|')
    if (own !== undefined) yield [name, own]
    else if (/^[a-z0-9+-]/.test(word) && !/^\d\uFE0F/u.test(word)) yield [word, character]
    else character = word
  }
}
