/** A made-up report of some 6,000 characters; one sentence of it answers a question about the mill. */
export const MILL_SENTENCE = "The old mill at Arden burned down in March 1831 and was never rebuilt.";

const places = ["Arden", "Brook", "Cawley", "Dunmore", "Elm Hill", "Farrow", "Gorse", "Hexby"];

export const longText = places
  .map((place, index) => {
    const mill = place === "Cawley" ? ` ${MILL_SENTENCE}` : "";
    return (
      `The survey of ${place} began in the spring of ${1800 + index * 7}, when ${index + 3} farms paid rent to the abbey. ` +
      `Its fields lay along the river, and the clerk counted ${40 + index * 13} sheep and ${5 + index} oxen.${mill} ` +
      `A road was laid towards the coast in the same decade, and the carriers of ${place} brought salt and iron inland. ` +
      `The school opened late, since no teacher wished to live so far from the market towns. ` +
      `When the harvest failed, the parish lent ${index + 2} sacks of grain to each household and asked for none of it back. ` +
      `Letters from that time speak of hard winters, of wolves, and of one summer without rain. ` +
      `The last entry of the book is a list of names, most of them crossed out by a later hand.`
    );
  })
  .join("\n\n");
