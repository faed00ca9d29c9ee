package org.terrace.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** One call of {@code terrace plan}: its exit code, and what it wrote. */
record PlanCall(int code, String printed, String errors) {
  /** Calls it quietly on a mesh's directory, with further options. */
  static PlanCall of(Path directory, String... options) {
    List<String> quiet = new ArrayList<>(List.of(options));
    quiet.add("--quiet");
    return loud(directory, quiet.toArray(String[]::new));
  }

  /** Calls it on a mesh's directory, with further options. */
  static PlanCall loud(Path directory, String... options) {
    List<String> arguments = new ArrayList<>(List.of("plan", directory.toString()));
    arguments.addAll(List.of(options));
    PrintStream before = System.out;
    PrintStream messages = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      CommandLine line =
          Terrace.commandLine().setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
      int code = line.execute(arguments.toArray(String[]::new));
      return new PlanCall(
          code, bytes.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(before);
      System.setErr(messages);
    }
  }
}
