package org.terrace.capture;

import java.io.IOException;
import org.terrace.wire.file.PcapngHeader;
import org.terrace.wire.file.PcapngWriter;

/** The pcapng file of a live capture, which says what machine and options it is of. */
final class CaptureFile {
  private CaptureFile() {}

  /**
   * Creates the file that the options name, or empties it, ready for packets.
   *
   * @throws IOException when the file cannot be written
   */
  static PcapngWriter create(CaptureOptions options, int linkType) throws IOException {
    return PcapngWriter.create(
        options.output(),
        new PcapngHeader(
            CaptureSystem.hardware(),
            CaptureSystem.operatingSystem(),
            options.interfaceName(),
            linkType,
            options.snapLength(),
            options.filter().expression(),
            options.names()));
  }
}
