# A Debian 12 with control groups v2 that QEMU runs without a network, for the scripts in this folder, which source this file. All
# files are in the current folder. The folder `system` stays as it is for the next time: a script changes the copy `machine`.
# It takes debootstrap, qemu-system-x86_64 and mke2fs.

# Makes the system, unless it is complete already.
make_system() {
    [ -e system.complete ] && return
    debootstrap --variant=minbase \
        --include=systemd,systemd-sysv,dbus,libpam-systemd,python3-minimal,linux-image-cloud-amd64 bookworm system
    chroot system useradd --create-home --uid 1000 ada
    touch system.complete
}

# Makes the machine: a copy of the system that, once it has booted, runs the script /inside.sh with the results as its output, and
# then END.
make_machine() { # END
    rm -rf machine
    cp -a --reflink=auto system machine
    cat > machine/etc/systemd/system/inside.service <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/bin/sh -c 'exec /bin/sh /inside.sh > /dev/ttyS1 2>&1'
ExecStopPost=$1
UNIT
    mkdir -p machine/etc/systemd/system/multi-user.target.wants
    ln -sf ../inside.service machine/etc/systemd/system/multi-user.target.wants/
}

# Makes the disk from the machine.
make_disk() { # SIZE
    rm -f disk
    truncate --size="$1" disk
    mke2fs -q -t ext4 -d machine disk
}

# Boots from the disk, until the machine ends or restarts. The disk need not survive a failure of the host. An emulated processor is of
# a kind without AVX and the kernel does without its mitigations of processors' faults: both take emulation two to three times as long.
boot() { # ACCELERATOR MIB RESULTS [OPTION ...]
    accelerator=$1 memory=$2 results=$3 processor=max mitigations=
    [ "$accelerator" = kvm ] || processor=Nehalem mitigations=mitigations=off
    shift 3
    rm -f "$results"
    qemu-system-x86_64 -accel "$accelerator" -cpu $processor -smp 2 -m "$memory" -no-reboot -nodefaults -nographic \
        -kernel machine/boot/vmlinuz-* -initrd machine/boot/initrd.img-* \
        -append "root=/dev/vda rw console=ttyS0 panic=-1 quiet $mitigations" -drive file=disk,format=raw,if=virtio,cache=unsafe \
        -serial file:console -serial file:"$results" "$@"
}
