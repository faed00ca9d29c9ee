package org.terrace.protocols.decoder;

import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * The rest of a connection of MySQL behind its request for TLS, decrypted: the login once more, now
 * whole, and what follows is read by the decoder that read the greeting. Confined to one thread.
 */
final class MySqlInsideTls implements Decoder {
  private final MySqlDecoder outside;
  private boolean begun;

  MySqlInsideTls(MySqlDecoder outside) {
    this.outside = outside;
  }

  private void begin() {
    if (!begun) {
      begun = true;
      outside.beginInsideTls();
    }
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    begin();
    outside.plainClientData(bytes, from, to, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    begin();
    outside.plainServerData(bytes, from, to, moment);
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    begin();
    outside.plainClientMissing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    begin();
    outside.plainServerMissing(byteCount, moment);
  }

  @Override
  public void serverFinished(Moment moment) {
    outside.plainServerFinished(moment);
  }

  @Override
  public void end(Ending ending, Moment moment) {
    outside.plainEnd(ending, moment);
  }
}
