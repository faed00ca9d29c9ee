package org.terrace.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    /** The counter of how far it was read, or null. */
    @Nullable ReadProgress progress();
  }

  /** A file. */
  static FileSource file(Path path) {
    return new FileSource(path, null);
  }

  /** A file of which others see how far it was read. */
  static FileSource file(Path path, ReadProgress progress) {
    return new FileSource(path, progress);
  }

  /** A stream, which can be read once. */
  static StreamSource stream(String name, InputStream input) {
    return new StreamSource(name, input, null);
  }

  /** A stream of which others see how far it was read. */
  static StreamSource stream(String name, InputStream input, ReadProgress progress) {
    return new StreamSource(name, input, progress);
  }

  /**
   * A capture in a file. Immutable.
   *
   * @param path the file
   * @param progress what is told how far it was read, or null
   */
  record FileSource(Path path, @Nullable ReadProgress progress) implements OneCapture {
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
      InputStream input = Files.newInputStream(path);
      return progress == null ? input : progress.counted(input);
    }
  }

  /**
   * A capture that arrives through a stream.
   *
   * @param name what to call it in messages
   * @param input the stream
   * @param progress what is told how far it was read, or null
   */
  record StreamSource(String name, InputStream input, @Nullable ReadProgress progress)
      implements OneCapture {
    /** Checks that name and stream are there. */
    public StreamSource {
      Objects.requireNonNull(name);
      Objects.requireNonNull(input);
    }

    @Override
    public InputStream open() {
      return progress == null ? input : progress.counted(input);
    }
  }
}
