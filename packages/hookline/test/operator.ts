// A server operator: the line of server.yaml, and the one that they type.

/** Of `kettle`, checked in no time. */
export const KETTLE =
  '$scrypt$ln=4,r=8,p=1$YSBzYWx0IG9mIHNpeHRlZQ$Uv8wBAGk5dZ6GBsGy2Qrz5KnokdH1cpdIDYv2VWCrlI'
export const OPERATOR = `opers: [{name: root, password_hash: "${KETTLE}"}]\n`
export const BECOME_OPERATOR = 'OPER root kettle'
