// Texts of models that are similar to one.
export const similar = {
  title: "Similar models",
  by: "Compare by",
  kinds: { mesh: "Shape", rig: "Skeleton", motion: "Motion", picture: "Look", bytes: "Same file" },
  hints: {
    mesh: "The same surface, however it is placed, scaled, mirrored or exported.",
    rig: "The same joints, by names and lengths or by their hierarchy.",
    motion: "Clips whose joints turn alike.",
    picture: "Thumbnails that look alike.",
    bytes: "The same model file.",
  },
  none: {
    mesh: "No other model has a surface like this one.",
    rig: "No other model has a skeleton like this one.",
    motion: "No other model has a clip that moves like one of these.",
    picture: "No other model looks like this one.",
    bytes: "No other model has the same file.",
  },
  noneHint: "Models that are added later appear here.",
  percent: (score: number) => `${Math.floor(score * 100)} %`,
  more: "Show more",
  cut: "Only a part of the library was compared, because very many models are alike.",
  again: "Try again",
};
