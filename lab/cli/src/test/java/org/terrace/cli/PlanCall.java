package org.terrace.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** One call of {@code terrace plan}: its exit code, and what it wrote. */
record PlanCall(int code, String printed, String errors) {
  /** Calls it quietly on a mesh's directory, with further options. */
  static PlanCall of(Path directory, String... options) {
    List<String> arguments = new ArrayList<>(List.of("plan", directory.toString(), "--quiet"));
    arguments.addAll(List.of(options));
    StringWriter errors = new StringWriter();
    CommandLine line = Terrace.commandLine().setErr(new PrintWriter(errors, true));
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      int code = line.execute(arguments.toArray(String[]::new));
      return new PlanCall(code, bytes.toString(StandardCharsets.UTF_8), errors.toString());
    } finally {
      System.setOut(before);
    }
  }
}
