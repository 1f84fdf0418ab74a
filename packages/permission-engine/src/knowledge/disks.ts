import type { CommandEntry } from "./CommandEntry.ts";

/** Disks and file systems: what destroys them is refused by a fixed rule on the roles `formats` and `wipes`. */
export const disks: ReadonlyArray<CommandEntry> = [
  {
    command: "mkfs | newfs | mke2fs | mkdosfs | mkntfs | mkswap | pvcreate | zpool create",
    risk: "irreversible",
    operands: "formats*",
    flags: "*",
    options: { "-t= -L= -n= -b= -i= -N= -O= -E= -m=": "text" },
    examples: {
      "mkfs.ext4 /dev/sda1": "hard-block irreversible delete:/dev/sda1",
      "mkfs -t xfs /dev/sdb": "hard-block",
      "mkfs.ext4 ./disk.img": "ask irreversible",
    },
  },
  {
    command:
      "fdisk | sfdisk | cfdisk | gdisk | sgdisk | parted | blkdiscard | nwipe | scrub | debugfs | e2image | partclone.restore",
    risk: "irreversible",
    operands: "formats*",
    flags: "*",
    when: { "-l --list -p --print": { operands: "lists*", risk: "read" } },
    examples: { "fdisk /dev/sda": "hard-block", "fdisk -l /dev/sda": "ask read read:/dev/sda" },
  },
  {
    command: "wipefs",
    risk: "read",
    operands: "lists*",
    flags: "-f -n -q -p -b -t= --force --no-act --quiet --parsable --backup --types=",
    when: { "-a --all -o= --offset=": { operands: "formats*", risk: "irreversible" } },
    examples: { "wipefs -a /dev/sda": "hard-block", "wipefs /dev/sda": "ask read read:/dev/sda" },
  },
  {
    command: "badblocks | hdparm",
    risk: "remote-write",
    operands: "lists*",
    // Known letters, so that they count in a cluster: `-wsv`.
    flags: "-s -v -f -n -B -X *",
    when: {
      "-w --write": { operands: "formats*", risk: "irreversible" },
      "--security-erase= --security-erase-enhanced= --trim-sector-ranges=": {
        operands: "wipes*",
        risk: "irreversible",
      },
    },
    examples: { "badblocks -w /dev/sda": "hard-block", "hdparm --security-erase x /dev/sda": "hard-block" },
  },
  {
    command: "cryptsetup luksformat | cryptsetup erase | cryptsetup lukserase | cryptsetup reencrypt",
    risk: "irreversible",
    operands: "wipes*",
    flags: "*",
    examples: { "cryptsetup luksFormat --batch-mode /dev/sdb": "hard-block" },
  },
  {
    command: "cryptsetup",
    risk: "irreversible",
    operands: "unknown*",
    flags: "-q --batch-mode -v --verbose",
    examples: { "cryptsetup open /dev/sdb x": "ask irreversible", "cryptsetup -q luksFormat /dev/sdb": "hard-block" },
  },
  {
    command:
      "diskutil erasedisk | diskutil erasevolume | diskutil eraseoptical | diskutil reformat | diskutil partitiondisk | diskutil zerodisk | " +
      "diskutil randomdisk | diskutil secureerase | nvme format | nvme sanitize | nvme write-zeroes | nvme write-uncor | zpool destroy | zpool labelclear | dmsetup wipe_table | dmsetup remove_all | lvremove | vgremove | pvremove | zfs destroy | diskutil apfs deletecontainer | " +
      "diskutil apfs deletevolume",
    risk: "irreversible",
    operands: "wipes*",
    flags: "*",
    examples: { "diskutil eraseDisk JHFS+ New disk2": "hard-block", "zpool destroy tank": "hard-block" },
  },
  {
    command: "diskutil list | diskutil info | diskutil apfs list",
    risk: "read",
    operands: "text*",
    examples: { "diskutil list": "ask read" },
  },
  {
    command: "mdadm",
    risk: "irreversible",
    operands: "unknown*",
    flags: "*",
    when: { "--zero-superblock": { operands: "wipes*" } },
    examples: { "mdadm --zero-superblock /dev/sda": "hard-block" },
  },
  {
    command: "format | format.com",
    risk: "irreversible",
    operands: "wipes*",
    flags: "*",
    examples: { "format c:": "hard-block" },
  },
  {
    command: "mount | umount | swapoff | swapon | losetup | fsck | e2fsck | resize2fs | tune2fs",
    risk: "irreversible",
    operands: "unknown*",
    flags: "*",
    examples: { "umount /mnt": "ask irreversible" },
  },
];
