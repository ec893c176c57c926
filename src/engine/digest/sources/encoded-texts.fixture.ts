/** Texts in legacy charsets as other programs wrote them: the charset, the text and its bytes in base64. */
export const encodedTexts: readonly (readonly [charset: string, text: string, base64: string])[] = [
  [
    "windows-1252",
    "“Das Mädchen läuft über die Brücke”, sagte er – und der Müller hörte es. Die Straße war naß, und alle gingen früh nach Hause. 5 €",
    "k0RhcyBN5GRjaGVuIGzkdWZ0IPxiZXIgZGllIEJy/GNrZZQsIHNhZ3RlIGVyIJYgdW5kIGRlciBN/GxsZXIgaPZydGUgZXMuIERpZSBTdHJh32Ugd2FyIG5h3ywgdW5kIGFsbGUgZ2luZ2VuIGZy/GggbmFjaCBIYXVzZS4gNSCA",
  ],
  [
    "shift_jis",
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。",
    "jOGUeYLNlEyCxYKggumBQpa8kU+CzYLcgr6Ws4KigUKCx4KxgsWQtoLqgr2CqYLGgvGCxoypk5aCqoLCgqmCyoFCib2CxYLglJaIw4KigraC34K2gt+CtYK9j4qCxYNqg4OBW4Nqg4OBW4uDgqKCxIKigr2OloK+gq+CzYtMia+CtYLEgqKC6YFC",
  ],
  [
    "gb18030",
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有资格享有本宣言所载的一切权利和自由。",
    "yMvIy8n6tvjX1NPJo6zU2tfw0c+6zciowPvJz9K7wsnGvbXIoaPL+8PHuLPT0MDt0NS6zcG80MSjrLKi06bS1NDWtdy52M+1tcS+q8nxz+C21LT9oaPIy8jL09DXyrjxz+3T0LG+0PvR1Mv51Ni1xNK7x9DIqMD7us3X1NPJoaM=",
  ],
  [
    "euc-kr",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
    "uPC15yDAzrCjwLogxcK+7rOvILanus7FzSDA2sCvt86/7LjnILHXIMG4vvaw+iCxx7iuv6EgwNa+7iC1v7Xux8+02S4gwM6wo8C6IMO1us7A+8C4t84gwMy8urD6IL7nvcnAuyC6zr+pud6+0sC4uOcgvK23ziDH/MGmvtbAxyDBpL3FwLi3ziDH4LW/x8+/qb7fIMfRtNku",
  ],
  [
    "koi8-r",
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
    "99PFIMzAxMkg0s/WxMHA1NPRINPXz8LPxM7ZzckgySDSwdfO2c3JINcg09fPxc0gxM/T1M/JztPU18UgySDQ0sHXwcguIO/OySDOwcTFzMXO2SDSwdrVzc/NIMkg08/XxdPU2MAgySDEz8zWztkg0M/T1NXQwdTYINcgz9TOz9vFzsnJIMTS1ccgxNLVx8Eg1yDE1cjFIMLSwdTT1NfBLg==",
  ],
  [
    "windows-1251",
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
    "wvHlIOv+5Ogg8O7m5OD+8vH/IPHi7uHu5O377Ogg6CDw4OLt++zoIOIg8eLu5ewg5O7x8u7o7fHy4uUg6CDv8ODi4PUuIM7t6CDt4OTl6+Xt+yDw4Ofz7O7sIOgg8e7i5fHy/P4g6CDk7uvm7fsg7+7x8vPv4PL8IOIg7vLt7vjl7ejoIOTw8+Mg5PDz4+Ag4iDk8/XlIOHw4PLx8uLgLg==",
  ],
  [
    "euc-jp",
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。",
    "uOPH2qTPx62kx6SipOuho8y+wbCkz6TepMDMtaSkoaOkyaSzpMfAuKTspL+kq6TIpPOkyLirxfakrKTEpKukzKGjsr+kx6Tix/awxaSkpLik4aS4pOGkt6S/veqkx6XLpeOhvKXLpeOhvLXjpKSkxqSkpL+79qTApLGkz7WtsrGkt6TGpKSk66Gj",
  ],
  [
    "big5",
    "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。人人有資格享有本宣言所載的一切權利和自由。",
    "pEikSKXNptOm26XRoUGmYrRMxFmpTcV2p1GkV6RAq9+lrbWloUOlTK3MveGms7J6qcqpTah9pN+hQajDwLOlSKVTp8zD9qtZqrq666+rrNu576vdoUOkSKRIprO46q7mqMmms6W7q8WopanSuPyquqRApMHFdqdRqU2m26XRoUM=",
  ],
  ["iso-2022-jp", "吾輩は猫である。名前はまだ無い。", "GyRCOGNHWiRPRy0kRyQiJGshI0w+QTAkTyReJEBMNSQkISMbKEI="],
];
