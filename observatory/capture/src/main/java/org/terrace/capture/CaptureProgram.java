package org.terrace.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Keeper;

/** A program that captures packets and writes them to its standard output as a pcap stream. */
enum CaptureProgram {
  /** Its packets wait up to a second in libpcap's ring before it sees them. */
  TCPDUMP(
      "tcpdump", CaptureMethod.TCPDUMP, "listening on", "(\\d+) packets? dropped by kernel", 1200) {
    @Override
    List<String> arguments(CaptureOptions options, boolean loopback) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("-i", options.interfaceName(), "-n", "-w", "-"));
      arguments.addAll(List.of("-B", Integer.toString(options.ringBytes() >> 10)));
      arguments.addAll(List.of("-s", Integer.toString(options.snapLength())));
      arguments.add("--time-stamp-precision=nano");
      if (loopback) {
        arguments.addAll(List.of("-Q", "in"));
      }
      if (!options.filter().expression().isEmpty()) {
        arguments.add(options.filter().expression());
      }
      return arguments;
    }
  },
  /** Its packets wait up to a quarter of a second; their times are whole microseconds. */
  DUMPCAP(
      "dumpcap",
      CaptureMethod.DUMPCAP,
      "File:",
      "received/dropped on interface .*: \\d+/(\\d+) ",
      400) {
    @Override
    List<String> arguments(CaptureOptions options, boolean loopback) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("-i", options.interfaceName(), "-q", "-p", "-P", "-w", "-"));
      arguments.addAll(List.of("-B", Integer.toString(Math.max(1, options.ringBytes() >> 20))));
      arguments.addAll(List.of("-s", Integer.toString(options.snapLength())));
      if (!options.filter().expression().isEmpty()) {
        arguments.addAll(List.of("-f", options.filter().expression()));
      }
      return arguments;
    }
  };

  private static final long PROBE_SECONDS = 5;

  private final String program;
  private final CaptureMethod method;
  private final String readyMark;
  private final Pattern drops;
  private final int retireMillis;

  CaptureProgram(
      String program, CaptureMethod method, String readyMark, String drops, int retireMillis) {
    this.program = program;
    this.method = method;
    this.readyMark = readyMark;
    this.drops = Pattern.compile(drops);
    this.retireMillis = retireMillis;
  }

  abstract List<String> arguments(CaptureOptions options, boolean loopback);

  String program() {
    return program;
  }

  CaptureMethod method() {
    return method;
  }

  /** The longest a packet waits in the program's ring before the program sees it. */
  int retireMillis() {
    return retireMillis;
  }

  /** The program's path, if this user may run it. */
  Optional<Path> find() {
    return CaptureSystem.program(program);
  }

  /** Whether a line on standard error says that the capture has begun. */
  boolean saysReady(String line) {
    return line.startsWith(readyMark) || line.contains(": " + readyMark);
  }

  /** The drop count that a line on standard error tells, if it does. */
  OptionalLong drops(String line) {
    Matcher matcher = drops.matcher(line);
    return matcher.find()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  /**
   * Starts the program, where a Ctrl-C at the terminal ends the capture and not the program, which
   * still has packets to hand over.
   *
   * @throws TerraceException when it is not installed or cannot be started
   */
  Process start(CaptureOptions options, boolean loopback) {
    Path file =
        find()
            .orElseThrow(() ->
                new TerraceException(
                    ErrorCode.MACHINE_LACKS,
                    "capture: %s is not installed: run 'sudo apt-get install %s' or use the built-in capture"
                        .formatted(program, packageName())));
    List<String> command = new ArrayList<>();
    command.add(file.toString());
    command.addAll(arguments(options, loopback));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    try {
      return Keeper.ofThisProcess().startApart(builder);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "capture: %s cannot be started: %s".formatted(file, e.getMessage()),
          e);
    }
  }

  /** Starts the program on loopback for a moment, to see whether it may capture. */
  boolean isPermitted() {
    CaptureOptions loopback =
        CaptureOptions.to(Path.of("/dev/null")).withRingBytes(CaptureOptions.MINIMUM_RING_BYTES);
    Process process = start(loopback, true);
    try {
      return new ProgramMessages(this, process).awaitReady(PROBE_SECONDS);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The Debian package that holds the program. */
  String packageName() {
    return this == TCPDUMP ? "tcpdump" : "wireshark-common";
  }

  /** The command that lets every user who may run the program capture with it. */
  Optional<String> grant() {
    return find().map(file -> "sudo setcap cap_net_raw+ep " + file);
  }
}
