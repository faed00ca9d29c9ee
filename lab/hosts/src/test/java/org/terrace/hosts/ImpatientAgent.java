package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.terrace.hosts.files.AgentFolder;

/** An agent that takes a few seconds of silence for the end of its runner. */
final class ImpatientAgent {
  static final Duration SILENCE = Duration.ofSeconds(3);

  private ImpatientAgent() {}

  /** Serves files of the folder that is its only argument; none: of its own. */
  public static void main(String[] arguments) throws IOException {
    InputStream in = System.in;
    OutputStream out = System.out;
    System.setOut(System.err);
    AgentFolder own = AgentFolder.inTemporary();
    Path folder = arguments.length > 0 ? Path.of(arguments[0]) : own.path();
    Agent.serve(in, out, folder, own, SILENCE);
    System.exit(0);
  }
}
