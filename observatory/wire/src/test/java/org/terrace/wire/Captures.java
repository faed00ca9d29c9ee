package org.terrace.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.terrace.observation.Request;

/** The captures among the test's resources, and what is read from captures in memory. */
final class Captures {
  /** Everything read from one capture. */
  record Reading(WireResult result, List<Request> requests) {}

  private Captures() {}

  static byte[] resource(String name) {
    try (InputStream input = Captures.class.getResourceAsStream("/captures/" + name)) {
      return Objects.requireNonNull(input, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Reading read(byte[] capture) {
    return read(capture, WireOptions.defaults());
  }

  static Reading read(byte[] capture, WireOptions options) {
    List<Request> requests = new ArrayList<>();
    WireResult result =
        CaptureReader.read(
            CaptureSource.stream("test", new ByteArrayInputStream(capture)),
            options,
            requests::add);
    return new Reading(result, requests);
  }
}
