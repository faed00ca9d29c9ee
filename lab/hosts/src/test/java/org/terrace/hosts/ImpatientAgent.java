package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

/** An agent that takes a few seconds of silence for the end of its runner. */
final class ImpatientAgent {
  static final Duration SILENCE = Duration.ofSeconds(3);

  private ImpatientAgent() {}

  /** Serves files of the folder that is its only argument. */
  public static void main(String[] arguments) throws IOException {
    InputStream in = System.in;
    OutputStream out = System.out;
    System.setOut(System.err);
    Agent.serve(in, out, Path.of(arguments[0]), Path.of(arguments[0]), SILENCE);
    System.exit(0);
  }
}
