/** Redis: RESP2 and RESP3, from commands and replies to requests. */
package org.terrace.protocols.redis;
