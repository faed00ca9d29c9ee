package org.terrace.middleware.ejb;

import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallHandler;

/** The bean: it hands calls to the container's listener. A service has its own transactions. */
@Stateless(name = CarrierBean.NAME)
@Remote(Carrier.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class CarrierBean implements Carrier {
  static final String NAME = "TerraceCarrier";
  static final String JNDI_NAME = NAME + "Remote";

  /** Made by the container. */
  public CarrierBean() {}

  @Override
  public byte[] call(long client, long sequence, byte[] request) {
    CallHandler handler = EjbContainer.handler();
    if (handler == null || sequence < 1) {
      return CallCodec.encode(
          CallCodec.rejection(
              handler == null
                  ? "the listener is closed"
                  : "a call's sequence begins at 1, got " + sequence));
    }
    return CallCodec.serve(handler, new RequestIdentity(client, sequence), request);
  }

  @Override
  public void check() {}
}
