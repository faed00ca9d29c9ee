package org.terrace.hosts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.terrace.capture.CaptureCounts;

/**
 * The captures of a trial, one at each point that sees packets which no other sees. Thread-safe.
 */
public final class TrialCapture implements AutoCloseable {
  private final Map<CapturePlace, HostCapture> captures = new LinkedHashMap<>();

  /**
   * A place at which packets are captured.
   *
   * @param name what it is called in findings
   * @param device its network interface, or an address of it
   */
  record CapturePlace(String name, ServerHost host, String device) {}

  /**
   * A capture that has ended.
   *
   * @param point the name of its place
   * @param file its file on this machine
   */
  public record Captured(String point, Path file, CaptureCounts counts) {}

  /**
   * Starts to capture at all places; when this returns, every later packet is seen.
   *
   * @param files by place, the file on its host
   * @param networks the networks of which packets are kept
   * @param leftOut those of which none is
   */
  TrialCapture(
      Map<CapturePlace, Path> files,
      List<String> networks,
      List<String> leftOut,
      Map<String, String> names,
      int snapLength) {
    try {
      files.forEach((place, file) ->
          captures.put(
              place,
              place
                  .host()
                  .capture(
                      new CapturePlan(
                          place.device(), file, networks, leftOut, names, snapLength))));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Ends all captures and brings their files to this machine.
   *
   * @param folder where they go
   * @param first the name of the first one's file; others get theirs from it and their place
   * @param progress told how much of the files of other hosts has come, in lines
   */
  public List<Captured> end(Path folder, String first, Consumer<String> progress) {
    List<Captured> ended = new ArrayList<>();
    captures.forEach((place, capture) -> {
      CaptureCounts counts = capture.end();
      Path here = folder.resolve(ended.isEmpty() ? first : further(first, place.name()));
      place.host().fetch(capture.file(), here, progress);
      ended.add(new Captured(place.name(), here, counts));
    });
    return ended;
  }

  /** The name of the file of a place after the first. */
  private static String further(String first, String place) {
    return first.replace(".", "-" + place + ".");
  }

  /**
   * Whether a file has a name that {@link #end} gives, be it that of the first place or another's.
   *
   * @param first the name of the first one's file
   */
  public static boolean hasName(Path file, String first) {
    String name = file.getFileName().toString();
    int dot = first.indexOf('.');
    return name.equals(first)
        || (name.startsWith(first.substring(0, dot) + "-") && name.endsWith(first.substring(dot)));
  }

  @Override
  public void close() {
    captures.values().forEach(HostCapture::close);
  }
}
