{{- /* Only what Go's text/template has by itself is used, so that any implementation renders this chart. */ -}}

{{- define "reelgraph.labels" }}
    app.kubernetes.io/name: reelgraph
    app.kubernetes.io/instance: {{ .Release.Name }}
    app.kubernetes.io/version: {{ printf "%q" .Chart.AppVersion }}
    app.kubernetes.io/managed-by: {{ .Release.Service }}
    helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "reelgraph.image" }}
          image: {{ .Values.image.repository }}:{{ or .Values.image.tag .Chart.AppVersion }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- /* Of the pod: who it runs as, and how far the kernel lets the sandbox of the media tools go. */ -}}
{{- define "reelgraph.pod" }}
      serviceAccountName: {{ .Release.Name }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 60
{{- if .Values.image.pullSecrets }}
      imagePullSecrets:
{{- range .Values.image.pullSecrets }}
        - name: {{ . }}
{{- end }}
{{- end }}
{{- if .Values.sandbox.complete }}
      hostUsers: false
{{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile:
          type: {{ if .Values.sandbox.complete }}Unconfined{{ else }}RuntimeDefault{{ end }}
        appArmorProfile:
          type: {{ if .Values.sandbox.complete }}Unconfined{{ else }}RuntimeDefault{{ end }}
{{- end }}

{{- define "reelgraph.container" }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
{{- if .Values.sandbox.complete }}
            procMount: Unmasked
{{- end }}
          startupProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 2
            failureThreshold: 90
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            periodSeconds: 5
            timeoutSeconds: 5
          lifecycle:
            preStop:
              sleep:
                seconds: 5
{{- end }}

{{- define "reelgraph.settings" }}
            - name: BASE_URL
              value: {{ printf "%q" .Values.baseUrl }}
            - name: HOST
              value: 0.0.0.0
            - name: DATA_DIR
              value: /data
            - name: TRUST_PROXY
              value: "on"
            - name: DEMO
              value: "off"
            - name: SANDBOX
              value: {{ if .Values.sandbox.complete }}require{{ else }}prefer{{ end }}
{{- range .Values.secrets.settings }}
            - name: {{ . }}_FILE
              value: /run/secrets/reelgraph/{{ . }}
{{- end }}
{{- range $name, $value := .Values.settings }}
            - name: {{ $name }}
              value: {{ printf "%q" $value }}
{{- end }}
{{- end }}

{{- define "reelgraph.mounts" }}
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
{{- if .Values.secrets.settings }}
            - name: secrets
              mountPath: /run/secrets/reelgraph
              readOnly: true
{{- end }}
{{- end }}

{{- define "reelgraph.volumes" }}
        - name: tmp
          emptyDir:
            medium: Memory
            sizeLimit: 1Gi
{{- if .Values.secrets.settings }}
        - name: secrets
          secret:
            secretName: {{ .Values.secrets.name }}
            defaultMode: 288 # 0440
            items:
{{- range .Values.secrets.settings }}
              - key: {{ . }}
                path: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Requests and limits, and labels of nodes, of one role. */ -}}
{{- define "reelgraph.resources" }}
          resources:
{{- range $kind, $amounts := . }}
            {{ $kind }}:
{{- range $name, $amount := $amounts }}
              {{ $name }}: {{ printf "%v" $amount | printf "%q" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "reelgraph.nodes" }}
{{- if . }}
      nodeSelector:
{{- range $name, $value := . }}
        {{ $name }}: {{ printf "%q" $value }}
{{- end }}
{{- end }}
{{- end }}

{{- define "reelgraph.further" }}
{{- range $name, $value := . }}
            - name: {{ $name }}
              value: {{ printf "%q" $value }}
{{- end }}
{{- end }}
