import { definePlayer, ReelgraphPlayer } from './element.ts';

/** For `<script src="https://video.example.com/player.js">`: contents are those of the platform that it comes from. */
const script = document.currentScript;
if (script instanceof HTMLScriptElement) ReelgraphPlayer.server = new URL(script.src).origin;
definePlayer();
