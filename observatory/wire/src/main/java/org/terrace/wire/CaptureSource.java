package org.terrace.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The source of packets: one capture, or the captures of several points put on one clock. */
public sealed interface CaptureSource
    permits CaptureSource.OneCapture, CaptureParts, CapturePoints {
  /** The name for it in messages. */
  String name();

  /**
   * The source of one capture: a file or a stream such as standard input; plain pcap or pcapng, or
   * either compressed by gzip, zstd or xz.
   */
  sealed interface OneCapture extends CaptureSource {
    /** Opens it for reading; the reader closes what it opened. */
    InputStream open() throws IOException;
  }

  /** A file. */
  static FileSource file(Path path) {
    return new FileSource(path);
  }

  /** A stream, which can be read once. */
  static StreamSource stream(String name, InputStream input) {
    return new StreamSource(name, input);
  }

  /**
   * A capture in a file. Immutable.
   *
   * @param path the file
   */
  record FileSource(Path path) implements OneCapture {
    /** Checks that the path is there. */
    public FileSource {
      Objects.requireNonNull(path);
    }

    @Override
    public String name() {
      return path.toString();
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(path);
    }
  }

  /**
   * A capture that arrives through a stream.
   *
   * @param name what to call it in messages
   * @param input the stream
   */
  record StreamSource(String name, InputStream input) implements OneCapture {
    /** Checks that both are there. */
    public StreamSource {
      Objects.requireNonNull(name);
      Objects.requireNonNull(input);
    }

    @Override
    public InputStream open() {
      return input;
    }
  }
}
