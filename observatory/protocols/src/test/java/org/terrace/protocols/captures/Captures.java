package org.terrace.protocols.captures;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Request;
import org.terrace.protocols.CaptureReader;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.ReadResult;
import org.terrace.wire.CaptureSource;

/** The captures among the test's resources, and what is read from captures in memory. */
public final class Captures {
  /** Everything read from one capture. */
  public record Reading(
      ReadResult result, List<Request> requests, List<ObservedConnection> connections) {}

  private Captures() {}

  /** The bytes of a resource. */
  public static byte[] resource(String name) {
    try (InputStream input = Captures.class.getResourceAsStream("/captures/" + name)) {
      return Objects.requireNonNull(input, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a capture without knowing more. */
  public static Reading read(byte[] capture) {
    return read(capture, ReadOptions.defaults());
  }

  /** Reads a capture. */
  public static Reading read(byte[] capture, ReadOptions options) {
    List<Request> requests = new ArrayList<>();
    List<ObservedConnection> connections = new ArrayList<>();
    ReadResult result =
        CaptureReader.read(
            List.of(CaptureSource.stream("test", new ByteArrayInputStream(capture))),
            options,
            requests::add,
            connections::add);
    return new Reading(result, requests, connections);
  }
}
