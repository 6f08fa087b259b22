// The picture of the table as the camera sees it now: asked for again and again (streams stop on iPhones), and only while there is a camera.

import { state } from "./live.js";

export function hasPicture({ camera }) {
  return ["watching", "cannot_see"].includes(camera.state);
}

export function pictureAddress() {
  return `/camera.jpg?t=${Date.now()}`;
}

// Until the image leaves the page; `took` is called with every picture, `missed` as long as there is none.
export function keepLive(image, pause_ms, took, missed = () => {}) {
  const again = (wait_ms) => setTimeout(ask, wait_ms);
  function ask() {
    if (!image.isConnected) return;
    if (!hasPicture(state())) {
      missed();
      again(500);
    } else if (document.visibilityState === "hidden") again(1000);
    else image.src = pictureAddress();
  }
  image.addEventListener("load", () => {
    took();
    again(pause_ms);
  });
  image.addEventListener("error", () => {
    missed();
    again(1500);
  });
  again(0);
}
