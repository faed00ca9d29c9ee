package org.terrace.hosts;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import org.terrace.capture.CaptureCounts;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.PacketCapture;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A capture of this machine. Thread-safe. */
final class LocalCapture implements HostCapture {
  private final PacketCapture capture;

  private LocalCapture(PacketCapture capture) {
    this.capture = capture;
  }

  static LocalCapture start(CapturePlan plan) {
    return new LocalCapture(
        PacketCapture.open(
            CaptureOptions.to(plan.file())
                .withInterface(device(plan.device()))
                .withSnapLength(plan.snapLength())
                .withNames(plan.names())
                .withFilter(
                    CaptureFilter.networks(plan.networks().toArray(String[]::new))
                        .without(plan.leftOut().toArray(String[]::new)))));
  }

  /** The interface of an address; any other word is the name of one. */
  static String device(String word) {
    if (!word.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
      return word;
    }
    try {
      InetAddress address = InetAddress.ofLiteral(word);
      if (address.isLoopbackAddress()) {
        return "lo";
      }
      NetworkInterface found = NetworkInterface.getByInetAddress(address);
      if (found != null) {
        return found.getName();
      }
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "this host has no network interface of the address "
              + word
              + "; expected one of those that 'ip address' shows");
    } catch (SocketException | IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, word + " is no address of this host: " + e.getMessage(), e);
    }
  }

  @Override
  public Path file() {
    return capture.output();
  }

  @Override
  public CaptureCounts end() {
    capture.close();
    return capture.counts();
  }
}
