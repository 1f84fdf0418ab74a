import { words } from "./Wrapper.ts";

/** Programs whose output, or the file they leave, comes from another machine. */
export const downloaders: ReadonlySet<string> = new Set(
  words(
    "curl curlie wget wget2 fetch aria2c axel lynx links elinks w3m http https xh httpie lwp-request lwp-download nc ncat netcat socat " +
      "telnet ftp tftp lftp ipfs yt-dlp",
  ),
);

/** Sub-commands that do the same. */
export const downloadingCommands: ReadonlySet<string> = new Set([
  "gh api",
  "gh gist view",
  "gh release download",
  "aws s3 cp",
  "gsutil cp",
  "rclone copy",
  "openssl s_client",
  "az storage blob download",
  "gcloud storage cp",
  "docker cp",
  "podman cp",
]);

/** Programs that leave a file with the contents of another. */
export const copiers: ReadonlySet<string> = new Set(words("cp gcp mv gmv install ginstall ln link rsync ditto"));
